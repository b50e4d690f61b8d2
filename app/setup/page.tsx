import { KeyRound } from 'lucide-react'
import { headers } from 'next/headers'
import { readWords, titled } from '#components/i18n/server.ts'
import { Door, DoorNote } from '#components/sign-in/door.tsx'
import { SetUpForm } from '#components/sign-in/set-up-form.tsx'

export const generateMetadata = titled((t) => t('setUp.page'))

export default async function SetUpPage({ searchParams }: PageProps<'/setup'>) {
  const { token } = await searchParams
  const t = await readWords()
  const isOpen = typeof token === 'string'

  return (
    <Door
      title={t('setUp.title')}
      note={<DoorNote icon={<KeyRound />}>{t(isOpen ? 'setUp.note' : 'setUp.noToken')}</DoorNote>}
      host={(await headers()).get('host') ?? ''}
    >
      {isOpen && <SetUpForm token={token} />}
    </Door>
  )
}
