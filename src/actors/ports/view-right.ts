/**
 * By what right somebody watches. It is plain data and stays with the viewer, so that what
 * takes the right away also takes the picture away.
 */
export type ViewRight =
  | { readonly type: 'owner' }
  /** A publish ticket, or a service that publishes for the owner. */
  | { readonly type: 'desk' }
  | { readonly type: 'shared'; readonly person: string }
  | { readonly type: 'moderator'; readonly person: string }
  /** The link of an unlisted stream: `key` is the SHA-256 of the key that it carried. */
  | { readonly type: 'link'; readonly key: string }
  | { readonly type: 'public' }
