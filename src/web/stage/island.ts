/** The element that the watch island takes over. */
export const islandRootId = 'watch'
/** The `<script type="application/json">` with its {@link WatchData}. */
export const islandDataId = 'watch-data'
