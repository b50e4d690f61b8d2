import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { FlagsPage } from '#components/settings/flags/flags-page.tsx'
import { prefetchFlags } from '#components/settings/flags/prefetch-flags.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('settingsParts.flags'))

export default async function ModerationFlagsPage() {
  const me = await requireSettings('flags', '/settings/flags')
  await prefetchFlags(me)

  return (
    <Hydrate>
      <FlagsPage />
    </Hydrate>
  )
}
