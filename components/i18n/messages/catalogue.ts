import type { en } from './en.ts'

/** A translation: every key of the English messages, and no others. */
export type Catalogue = Translated<typeof en>

/** Messages with the keys of these, in another language. */
export type Translated<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string ? string : Translated<Words[Key]>
}
