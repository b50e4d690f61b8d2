import { CircleAlert, FileCheck, LogOut } from 'lucide-react'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readMe } from '#components/kit/frame/require-me.ts'
import { readWords, titled } from '#components/preferences/server-messages.ts'
import { safeThen } from '#components/sign-in/safe-then.ts'
import { SignInForm } from '#components/sign-in/sign-in-form.tsx'
import { SignInFrame, SignInNote } from '#components/sign-in/sign-in-frame.tsx'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('signIn.page'))

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const { then: wanted, ended, made, error } = await searchParams
  const then = safeThen(typeof wanted === 'string' ? wanted : undefined)
  if (await readMe()) redirect(then)
  const t = await readWords()
  const { openIdName } = await getQueryClient().fetchQuery(trpc.access.signInOptions.queryOptions())
  const news = [
    made === 'password' && ('newPassword' as const),
    made && ('made' as const),
    ended && ('ended' as const),
  ].find(Boolean)

  return (
    <SignInFrame
      title={t('signIn.title')}
      note={
        <>
          {news && (
            <SignInNote icon={news === 'ended' ? <LogOut /> : <FileCheck />} isNeutral={news === 'ended'}>
              {t(`signIn.${news}`)}
            </SignInNote>
          )}
          {error && (
            <SignInNote icon={<CircleAlert />} isNeutral>
              {t('signIn.refused')}
            </SignInNote>
          )}
        </>
      }
      foot={t('signIn.foot')}
      host={(await headers()).get('host') ?? ''}
    >
      <SignInForm then={then} openIdName={openIdName} />
    </SignInFrame>
  )
}
