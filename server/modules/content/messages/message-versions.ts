/** A message is never edited: these are its versions while it is deleted, and while it isn't. */
export const MESSAGE_VERSIONS = { deleted: 1, published: 2 } as const
