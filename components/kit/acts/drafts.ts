/** Unsent text is kept in sessionStorage: it survives a reload and a new sign-in of the same person, and ends with the tab. */
const PREFIX = 'docket.draft.'
const nameOf = (userId: string, form: string) => `${PREFIX}${userId}.${form}`

/** The unsent fields of a form; empty if there are none. */
export function readDraft(userId: string, form: string): Record<string, string> {
  try {
    const kept: Record<string, string> | null = JSON.parse(sessionStorage.getItem(nameOf(userId, form)) ?? 'null')
    return kept ?? {}
  } catch {
    return {}
  }
}

/** Keeps the fields of a form until it is sent. */
export function keepDraft(userId: string, form: string, fields: Record<string, string>): void {
  try {
    sessionStorage.setItem(nameOf(userId, form), JSON.stringify(fields))
  } catch {
    // Without storage, text is kept for as long as the dialog is open.
  }
}

export function forgetDraft(userId: string, form: string): void {
  try {
    sessionStorage.removeItem(nameOf(userId, form))
  } catch {
    // Nothing was kept.
  }
}

/** Forgets everyone's unsent text of this tab: on signing out. */
export function forgetAllDrafts(): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name)
  } catch {
    // Nothing was kept.
  }
}
