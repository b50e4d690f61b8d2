/** Parts of reported items alone, in one script: each script of its own makes the page's first one longer. */
export { LockedMessage } from './locked-message.tsx'
export { RecentContent } from './recent-content.tsx'
