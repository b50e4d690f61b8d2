/** A completed act, as the toast shows it. */
export interface Done {
  words: string
  takeBack?: () => Promise<unknown>
}
