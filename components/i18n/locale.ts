/** The language of the catalogue, and the regional form in which dates, times and numbers are written. */
export const LANGUAGE = 'en'
export const LOCALE = 'en-GB'
export const DIRECTION = 'ltr'

/** The cookie `docket_dir=rtl` turns the desk round, to try it before there is a language that needs it. */
export function directionOf(cookie: string | undefined): 'ltr' | 'rtl' {
  return cookie === 'rtl' ? 'rtl' : DIRECTION
}
