import type { ComponentType } from 'react'
import type { ActDialogProps, ActName } from './desk-acts.ts'

const authorDialogs = () => import('./ban/author-dialogs.ts').then(({ AUTHOR_DIALOGS }) => AUTHOR_DIALOGS)

/** Each dialog is loaded the first time it is opened. */
export const ACT_DIALOGS: Record<ActName, () => Promise<ComponentType<ActDialogProps>>> = {
  reject: () => import('./reasons/reject-dialog.tsx').then(({ RejectDialog }) => RejectDialog),
  reverse: () => import('./reversal/reverse-dialog.tsx').then(({ ReverseDialog }) => ReverseDialog),
  escalate: () => import('./escalation/escalate-dialog.tsx').then(({ EscalateDialog }) => EscalateDialog),
  handOver: () => import('./escalation/hand-over-dialog.tsx').then(({ HandOverDialog }) => HandOverDialog),
  ban: () => authorDialogs().then(({ ban }) => ban),
  mute: () => authorDialogs().then(({ mute }) => mute),
  treatment: () => authorDialogs().then(({ treatment }) => treatment),
  warn: () => authorDialogs().then(({ warn }) => warn),
  edit: () => import('./edit/edit-dialog.tsx').then(({ EditDialog }) => EditDialog),
  note: () => import('./note-dialog.tsx').then(({ NoteDialog }) => NoteDialog),
  earlier: () => import('./earlier/earlier-sheet.tsx').then(({ EarlierSheet }) => EarlierSheet),
  thread: () => import('./thread-sheet.tsx').then(({ ThreadSheet }) => ThreadSheet),
}
