'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { SecretValue } from '#components/ui/secret-value.tsx'

/** Already there after a form: `FormDialog` loads it too. */
const Sheet = lazyPart(() => import('#components/ui/sheet.tsx').then(({ Sheet }) => Sheet))

interface SecretDialogProps {
  title: string
  label: string
  secret: string
  /** What the secret is for, and its expiry. */
  children: ReactNode
  onClose: () => void
}

/** Shows a new secret once; closes with its button, never with a press outside. */
export function SecretDialog({ title, label, secret, children, onClose }: SecretDialogProps) {
  const t = useTranslations('ui')
  return (
    <Sheet title={title} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className="grid gap-3.5 px-3.5 pt-2 pb-3.5">
        <p>{children}</p>
        <SecretValue label={label} secret={secret} />
        <div>
          <Button look="primary" onPress={onClose}>
            {t('kept')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
