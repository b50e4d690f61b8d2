'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Languages } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import type { ServiceProblem, TranslationSettings } from '#server/modules/integrations/translations/schema.ts'
import { Facts } from '../rows.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { useOutcome } from '../webhooks/delivery-words.tsx'
import { TranslationDialog } from './translation-dialog.tsx'

/** The service that translates, and whether texts may be sent to it. */
export function TranslationPage() {
  const t = useTranslations('translationSettings')
  const { translations } = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(translations.settings.queryOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(translations.settings.queryFilter()))

  return (
    <SettingsPage title={t('title')} lead={t('lead')}>
      <QueryState query={query} />
      {query.data && (
        <>
          <ServiceSection settings={query.data} acts={acts} />
          {query.data.service && (
            <SettingsSection id="sending" title={t('sending')}>
              <Switch settings={query.data} acts={acts} />
            </SettingsSection>
          )}
        </>
      )}
      {acts.toast}
    </SettingsPage>
  )
}

interface PartProps {
  settings: TranslationSettings
  acts: SettingsActs
}

function ServiceSection({ settings, acts }: PartProps) {
  const t = useTranslations('translationSettings')
  const { service, version, isFromEnvironment } = settings
  const edit = () =>
    acts.open((close) => (
      <TranslationDialog
        settings={settings}
        onClose={close}
        onDone={() => {
          close()
          acts.done({ words: t('saved') })
        }}
      />
    ))
  const remove = () =>
    acts.confirm(
      { title: t('removeTitle'), about: service?.url, means: t('removeMeans'), submit: t('removeSubmit') },
      () => trpcClient.translations.change.mutate({ version, service: null }),
      { words: t('removed') },
    )

  return (
    <SettingsSection
      id="service"
      title={t('service')}
      acts={
        service &&
        !isFromEnvironment && (
          <>
            <Button onPress={edit}>{t('edit')}</Button>
            <Button onPress={remove}>{t('remove')}</Button>
          </>
        )
      }
    >
      {service ? (
        <>
          {isFromEnvironment && <p className="text-small text-ink-3">{t('fromEnvironment')}</p>}
          <Facts
            facts={[
              [
                t('url'),
                <bdi key="url" dir="ltr">
                  {service.url}
                </bdi>,
              ],
              [t('apiKey'), t(service.hasApiKey ? 'hasKey' : 'noKey')],
            ]}
          />
          <Test key={version} />
        </>
      ) : (
        <EmptyState
          isInSection
          icon={<Languages />}
          title={t('none')}
          act={<Button onPress={edit}>{t('setUp')}</Button>}
        >
          {t('noneText')}
        </EmptyState>
      )}
    </SettingsSection>
  )
}

function Test() {
  const t = useTranslations('translationSettings')
  const { translations } = useTRPC()
  const problemOf = useServiceProblem()
  const errorMessageOf = useErrorMessage()
  const testing = useMutation(translations.test.mutationOptions())
  const { data, error, isPending } = testing
  const { problem } = data ?? {}
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button isDisabled={isPending} onPress={() => testing.mutate()}>
        {t(isPending ? 'testing' : 'test')}
      </Button>
      <span role="status" className={`min-w-0 wrap-anywhere ${problem || error ? 'text-reject' : ''}`}>
        {errorMessageOf(error)}
        {data &&
          (problem ? problemOf({ ...data, problem }) : t('tested', { ms: data.durationMs, text: data.text ?? '' }))}
      </span>
    </div>
  )
}

/** Why the service failed, in a few words; most reasons are those of webhooks. */
function useServiceProblem(): (failure: { problem: ServiceProblem; status?: number }) => string {
  const t = useTranslations('translationSettings.problems')
  const outcomeOf = useOutcome()
  return ({ problem, ...rest }) =>
    problem === 'answer' || problem === 'key' || problem === 'busy' || problem === 'secret'
      ? t(problem)
      : outcomeOf({ problem, ...rest })
}

function Switch({ settings: { version, isOn }, acts }: PartProps) {
  const t = useTranslations('translationSettings')
  return (
    <SwitchRow
      label={t('isOn')}
      about={t('isOnAbout')}
      isOn={isOn}
      onChange={(isOn) =>
        acts.run(() => trpcClient.translations.switch.mutate({ version, isOn }), {
          words: t(isOn ? 'turnedOn' : 'turnedOff'),
        })
      }
    />
  )
}
