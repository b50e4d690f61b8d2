'use client'
import type { ReactElement } from 'react'
import { useActs } from '#components/keys/acts-context.tsx'
import type { Done } from '#components/kit/acts/done.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useLazyDialog } from '#components/kit/acts/use-lazy-dialog.ts'
import { useReopened } from '#components/kit/acts/use-reopened.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Person, PersonActs } from '#server/modules/people/schema.ts'
import type { AskedDecision } from './content/use-decision.ts'

const DIALOGS = {
  ban: lazyPart(() => import('./ban-dialog.tsx').then(({ BanDialog }) => BanDialog)),
  mute: lazyPart(() => import('./mute-person-dialog.tsx').then(({ MutePersonDialog }) => MutePersonDialog)),
  treatment: lazyPart(() =>
    import('./treatment-person-dialog.tsx').then(({ TreatmentPersonDialog }) => TreatmentPersonDialog),
  ),
  warn: lazyPart(() => import('./warn-person-dialog.tsx').then(({ WarnPersonDialog }) => WarnPersonDialog)),
  note: lazyPart(() => import('./note-dialog.tsx').then(({ NoteDialog }) => NoteDialog)),
  export: lazyPart(() => import('./export-dialog.tsx').then(({ ExportDialog }) => ExportDialog)),
  erase: lazyPart(() => import('./erase-dialog.tsx').then(({ EraseDialog }) => EraseDialog)),
}
export type PersonDialog = keyof typeof DIALOGS & keyof PersonActs

/** About what the person wrote, not about the person. */
const DecideDialog = lazyPart(() => import('./content/decide-dialog.tsx').then(({ DecideDialog }) => DecideDialog))

/** Acts on a person: each has a dialog, a shortcut, and a time-limited undo. */
export function usePersonActs(person: Person, readAgain: () => Promise<void>) {
  const { last, done, undo, dismiss } = useLastAct()
  const { opened, open: openDialog, close } = useLazyDialog<{ act: PersonDialog }>()
  const asked = useLazyDialog<{ decision: AskedDecision }>()
  const open = (act: PersonDialog) => openDialog(DIALOGS[act], { act })
  const { ban, mute, treatment, warn, note } = person.allowed
  useReopened(opened?.act, (kept) => {
    const act = (Object.keys(DIALOGS) as PersonDialog[]).find((name) => name === kept)
    if (act && person.allowed[act]) open(act)
  })

  function doneAndRead({ words, undo }: Done): void {
    const undoAndRead = undo && (() => undo().then(readAgain))
    done({ words, ...(undoAndRead && { undo: undoAndRead }) })
    void readAgain()
  }

  const keys = {
    ...(ban && { ban: () => open('ban') }),
    ...(mute && { mute: () => open('mute') }),
    ...(treatment && { treatment: () => open('treatment') }),
    ...(warn && { warn: () => open('warn') }),
    ...(note && { note: () => open('note') }),
    ...(last?.undo && { takeBack: () => undo(last) }),
  }
  useActs(opened || asked.opened ? {} : keys, nameOf(person.user))

  const Dialog = opened && DIALOGS[opened.act]
  const dialog: ReactElement | undefined = Dialog && (
    <Dialog person={person} typed={opened.typed} onClose={close} onDone={doneAndRead} />
  )
  const { decision, typed } = asked.opened ?? {}
  const deciding: ReactElement | undefined = decision && typed && (
    <DecideDialog person={person} asked={decision} typed={typed} onClose={asked.close} onDone={doneAndRead} />
  )
  return {
    open,
    decide: (decision: AskedDecision) => asked.open(DecideDialog, { decision }),
    dialog: dialog ?? deciding,
    last,
    done: doneAndRead,
    undo,
    dismiss,
  }
}
