/** Must match `PASSWORD_LENGTH` in the server's schema. */
export const PASSWORD_LENGTH = { min: 12, max: 128 }
