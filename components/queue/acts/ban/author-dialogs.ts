import { BanDialog } from './ban-dialog.tsx'
import { MuteAuthorDialog } from './mute-author-dialog.tsx'
import { TreatmentAuthorDialog } from './treatment-author-dialog.tsx'
import { WarnAuthorDialog } from './warn-author-dialog.tsx'

/** What can be done to the author of an item, in one script: one of these is often followed by another. */
export const AUTHOR_DIALOGS = {
  ban: BanDialog,
  mute: MuteAuthorDialog,
  treatment: TreatmentAuthorDialog,
  warn: WarnAuthorDialog,
}
