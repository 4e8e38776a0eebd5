/** The registry's id in the actor system. */
export const registryId = 'registry'
