import type { ReactNode } from 'react'

/** For a message with `<b>`: draws what it marks in bold. */
export const IN_BOLD = { b: (text: ReactNode) => <b className="font-bold text-ink">{text}</b> }
