import type { ComponentType } from 'react'
import type { ActDialogProps, ActName } from './desk-acts.ts'

/** Each dialog is loaded the first time it is opened. */
export const ACT_DIALOGS: Record<ActName, () => Promise<ComponentType<ActDialogProps>>> = {
  reject: () => import('./reasons/reject-dialog.tsx').then(({ RejectDialog }) => RejectDialog),
  reverse: () => import('./reversal/reverse-dialog.tsx').then(({ ReverseDialog }) => ReverseDialog),
  escalate: () => import('./escalation/escalate-dialog.tsx').then(({ EscalateDialog }) => EscalateDialog),
  handOver: () => import('./escalation/hand-over-dialog.tsx').then(({ HandOverDialog }) => HandOverDialog),
  ban: () => import('./ban/ban-dialog.tsx').then(({ BanDialog }) => BanDialog),
  mute: () => import('./ban/mute-author-dialog.tsx').then(({ MuteAuthorDialog }) => MuteAuthorDialog),
  treatment: () =>
    import('./ban/treatment-author-dialog.tsx').then(({ TreatmentAuthorDialog }) => TreatmentAuthorDialog),
  edit: () => import('./edit/edit-dialog.tsx').then(({ EditDialog }) => EditDialog),
  note: () => import('./note-dialog.tsx').then(({ NoteDialog }) => NoteDialog),
  earlier: () => import('./earlier/earlier-sheet.tsx').then(({ EarlierSheet }) => EarlierSheet),
  thread: () => import('./thread-sheet.tsx').then(({ ThreadSheet }) => ThreadSheet),
}
