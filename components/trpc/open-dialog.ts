/** Kept in sessionStorage, as unsent text is. */
const NAME = 'docket.openDialog'

interface OpenDialog {
  userId: string
  path: string
  /** What is open, in the words of its page. */
  open: string
}

let current: OpenDialog | undefined

/** The dialog that is open on this page, if any. */
export function noteOpenDialog(dialog: Omit<OpenDialog, 'path'> | undefined): void {
  current = dialog && { ...dialog, path: location.pathname }
}

/** Keeps it for the next sign-in in this tab: the session has ended. */
export function keepOpenDialog(): void {
  try {
    if (current) sessionStorage.setItem(NAME, JSON.stringify(current))
  } catch {
    // Without storage, it has to be opened again by hand.
  }
}

/** What was open on this page when the person's session ended, once. */
export function takeOpenDialog(userId: string): string | undefined {
  try {
    const kept: OpenDialog | null = JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
    sessionStorage.removeItem(NAME)
    return kept?.userId === userId && kept.path === location.pathname ? kept.open : undefined
  } catch {
    return undefined
  }
}
