/** An act that was carried out, as the toast shows it. */
export interface Done {
  words: string
  takeBack?: () => Promise<unknown>
}
