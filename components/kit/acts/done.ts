/** A completed act, as the toast shows it. */
export interface Done {
  words: string
  /** Undoes it; resolves to what to say if only some of it could be undone. */
  undo?: () => Promise<unknown>
}
