import { LockedMessage } from './locked-message.tsx'
import { RecentContent } from './recent-content.tsx'

/** Parts of reported items alone, in one script: each script of its own makes the page's first one longer. */
export const REPORTED_PARTS = { LockedMessage, RecentContent }
