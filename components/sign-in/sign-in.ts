export type SignInAnswer =
  | { kind: 'in' }
  /** The password was correct, and a code is required. */
  | { kind: 'code' }
  | { kind: 'wrong'; triesLeft?: number }
  | { kind: 'limited'; waitSeconds: number }
  | { kind: 'failed' }

/** Signs in with email and password; every outcome is a value, not an exception. */
export async function signIn(email: string, password: string): Promise<SignInAnswer> {
  const answer = await post('sign-in/email', { email, password })
  if (!answer?.ok) return errorMessageOf(answer)
  const { asksForCode } = await answer.json()
  return { kind: asksForCode ? 'code' : 'in' }
}

/** The second factor: a code from the app, or a backup code. */
export async function giveCode(code: string): Promise<SignInAnswer> {
  const isOfApp = /^[\d\s]+$/.test(code)
  const answer = await post(`two-factor/${isOfApp ? 'verify-totp' : 'verify-backup-code'}`, {
    code: isOfApp ? code.replace(/\s/g, '') : code.trim(),
  })
  return answer?.ok ? { kind: 'in' } : errorMessageOf(answer)
}

/** The address of the organisation's sign-in, which returns to `path`. */
export async function openIdAddress(path: string): Promise<string | undefined> {
  const answer = await post('sign-in/social', { path })
  return answer?.ok ? (await answer.json()).url : undefined
}

function post(path: string, body: object): Promise<Response | undefined> {
  return fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
}

function errorMessageOf(answer: Response | undefined): SignInAnswer {
  if (answer?.status === 401) return { kind: 'wrong', ...numberOf('triesLeft', answer.headers.get('x-tries-left')) }
  if (answer?.status === 429) return { kind: 'limited', waitSeconds: Number(answer.headers.get('retry-after')) || 60 }
  return { kind: 'failed' }
}

function numberOf(name: 'triesLeft', header: string | null): { triesLeft?: number } {
  return header !== null && /^\d+$/.test(header) ? { [name]: Number(header) } : {}
}
