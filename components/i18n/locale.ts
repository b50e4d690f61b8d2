/** The language of the catalogue, and the regional form in which dates, times and numbers are written. */
export const LANGUAGE = 'en'
export const LOCALE = 'en-GB'
export const DIRECTION = 'ltr'
