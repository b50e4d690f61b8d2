'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { SecretValue } from '#components/ui/secret-value.tsx'
import { Sheet } from '#components/ui/sheet.tsx'

interface OnceDialogProps {
  title: string
  label: string
  secret: string
  /** What the secret is for, and its expiry. */
  children: ReactNode
  onClose: () => void
}

/** Shows a new secret once; closes with its button, never with a press outside. */
export function SecretDialog({ title, label, secret, children, onClose }: OnceDialogProps) {
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
