/** The media pool's id in the actor system. */
export const mediaPoolId = 'media-pool'
