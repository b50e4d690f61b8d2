/** In localStorage: whether the last ban in this browser also rejected the author's items, so that the next one does. */
const KEY = 'docket.ban.rejects'

export function lastBanRejectedItems(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch {
    return false
  }
}

export function rememberBanRejectsItems(isRemoving: boolean): void {
  try {
    localStorage.setItem(KEY, isRemoving ? 'yes' : 'no')
  } catch {
    // Without storage, the box starts empty each time.
  }
}
