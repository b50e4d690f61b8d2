import { createTranslator } from 'use-intl/core'
import { LOCALE } from './locale.ts'
import { en } from './messages/en.ts'

/** Words for what is rendered on the server only, such as titles. */
export const t = createTranslator({ locale: LOCALE, messages: en })
