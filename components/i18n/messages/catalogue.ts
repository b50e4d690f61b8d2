import type { en } from './en.ts'

/** A language's words: every key of the English ones, and none besides. */
export type Catalogue = Translated<typeof en>

/** The words of one room, in another language. */
export type Translated<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string ? string : Translated<Words[Key]>
}
