import { SearchX } from 'lucide-react'
import { readWords } from '#components/preferences/server-messages.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Page } from '#components/ui/page.tsx'

/** Inside the desk: what doesn't exist, or what the person may not see. Rendered on the server: every page includes it. */
export async function DeskNotFound() {
  const t = await readWords()
  return (
    <Page>
      <EmptyState icon={<SearchX />} title={t('failure.notFoundTitle')} act={<a href="/">{t('failure.toStart')}</a>}>
        {t('failure.notFoundText')}
      </EmptyState>
    </Page>
  )
}
