'use client'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'

/** How many decisions show that nobody needs the steps any more. */
const ENOUGH_DECISIONS = 3

interface FirstStepsProps {
  /** The decisions of this page. */
  decided: number
  areKeysShown: boolean
}

/**
 * The first steps of a new moderator: decide, undo, and where all keys are listed. They go away for good once three decisions were made, the keys were
 * opened, or the person closes them.
 */
export function FirstSteps({ decided, areKeysShown }: FirstStepsProps) {
  const t = useTranslations('queue.firstSteps')
  const { change } = usePreferences()
  const [isClosed, setClosed] = useState(false)
  const isDone = isClosed || areKeysShown || decided >= ENOUGH_DECISIONS
  useEffect(() => {
    if (isDone) change({ areFirstStepsDone: true })
  }, [isDone, change])

  const keys = {
    approve: () => <Key act="approve" />,
    reject: () => <Key act="reject" />,
    undo: () => <Key act="takeBack" />,
    keys: () => <Key act="keys" />,
  }
  return (
    <section
      aria-label={t('title')}
      className="rounded-3 bg-raised py-2 ps-3 pe-1.5 shadow-pop forced-colors:border phone:hidden"
    >
      <div className="flex items-center">
        <h2 className="font-bold text-ink">{t('title')}</h2>
        <span className="ms-auto">
          <Button look="icon" size="small" aria-label={t('close')} onPress={() => setClosed(true)}>
            <X />
          </Button>
        </span>
      </div>
      <ol className="grid gap-1 pe-2 pb-1 text-small">
        <Step>{t.rich('decide', keys)}</Step>
        <Step>{t.rich('undo', keys)}</Step>
        <Step>{t.rich('more', keys)}</Step>
      </ol>
    </section>
  )
}

function Step({ children }: { children: ReactNode }) {
  return <li className="ms-4 list-decimal marker:text-ink-3">{children}</li>
}

function Key({ act }: { act: 'approve' | 'reject' | 'takeBack' | 'keys' }) {
  return <ActKeycap act={act} className="align-middle" />
}
