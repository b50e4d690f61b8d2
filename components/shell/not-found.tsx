import { SearchX } from 'lucide-react'
import { readWords } from '#components/preferences/server-messages.ts'
import { MessagePage } from './message-page.tsx'

/** Rendered on the server: every page includes it, so it must need no script. */
export async function NotFound() {
  const t = await readWords()
  return (
    <MessagePage icon={<SearchX />} title={t('failure.notFoundTitle')} act={<a href="/">{t('failure.toStart')}</a>}>
      {t('failure.notFoundText')}
    </MessagePage>
  )
}
