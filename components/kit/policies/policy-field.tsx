'use client'
import { useTranslations } from 'use-intl'
import { MenuSelect } from '#components/ui/menu-select.tsx'
import { usePolicies } from './use-policies.ts'

/** No policy. */
const NONE = ''

interface PolicyFieldProps {
  policyId: string | undefined
  onChange: (policyId: string | undefined) => void
  /** The one that was chosen before: it can be kept although it is archived. */
  kept?: string | undefined
}

/** The policy that was broken; optional, and not shown where there is none to choose. */
export function PolicyField({ policyId, onChange, kept }: PolicyFieldProps) {
  const t = useTranslations('policy')
  const choices = usePolicies().choices(kept)
  if (choices.length === 0) return null
  return (
    <div className="grid justify-items-start">
      <MenuSelect
        isField
        label={t('label')}
        options={[{ id: NONE, label: t('none') }, ...choices]}
        value={policyId ?? NONE}
        onChange={(id) => onChange(id === NONE ? undefined : id)}
      />
    </div>
  )
}
