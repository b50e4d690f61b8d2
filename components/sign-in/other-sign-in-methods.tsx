'use client'
import { Building2, Fingerprint } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { signInByPasskey } from '#components/kit/sign-in/passkey.ts'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { openIdAddress } from './sign-in.ts'

interface OtherWaysProps {
  then: string
  openIdName: string | undefined
  onIn: () => void
}

/** Sign-in without a password: by passkey, or with the organisation's provider. */
export function OtherSignInMethods({ then, openIdName, onIn }: OtherWaysProps) {
  const t = useTranslations('signIn')
  const errorId = useId()
  const [error, setError] = useState<string>()

  async function byPasskey(): Promise<void> {
    setError(undefined)
    const answer = await signInByPasskey()
    if (answer === 'done') onIn()
    else if (answer !== 'cancelled') setError(t('passkeyRefused'))
  }

  async function byOpenId(): Promise<void> {
    setError(undefined)
    const address = await openIdAddress(then)
    if (address === undefined) setError(t('failed'))
    else location.assign(address)
  }

  return (
    <div className="mt-2 grid gap-2">
      <Button size="large" onPress={() => void byPasskey()}>
        <Fingerprint />
        {t('passkey')}
      </Button>
      {openIdName !== undefined && (
        <Button size="large" onPress={() => void byOpenId()}>
          <Building2 />
          {t('openId', { name: openIdName })}
        </Button>
      )}
      {error && (
        <div className="mt-2">
          <FormError id={errorId}>{error}</FormError>
        </div>
      )}
    </div>
  )
}
