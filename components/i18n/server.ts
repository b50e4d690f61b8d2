import { createTranslator, type Messages } from 'use-intl/core'
import { COMPILED } from './compiled.ts'
import { LOCALE } from './locale.ts'

/** Words for what is rendered on the server only, such as titles. */
export const t = createTranslator({ locale: LOCALE, messages: COMPILED as unknown as Messages })
