/** The server files a browser may load, as a pattern over paths: zod schemas and the few files they depend on. */
export const PURE_FILES = String.raw`^server/.*/schema\.ts$|^server/core/(calendar|links\/(endings|find-links|to-unicode)|mute-period|paging|periods|text)\.ts$`
