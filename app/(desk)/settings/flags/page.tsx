import { notFound } from 'next/navigation'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { FlagsPage } from '#components/settings/flags/flags-page.tsx'
import { prefetchFlags } from '#components/settings/flags/prefetch-flags.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.flags'))

export default async function ModerationFlagsPage() {
  const me = await requireMe('/settings/flags')
  if (!me.settings.includes('flags')) notFound()
  await prefetchFlags(me)

  return (
    <Hydrate>
      <FlagsPage />
    </Hydrate>
  )
}
