/** The id of a user without rights, for programs that don't run as root. */
export const NOBODY = 65_534
