/** As `PASSWORD_LENGTH` of the server's schema has it. */
export const PASSWORD_LENGTH = { min: 12, max: 128 }
