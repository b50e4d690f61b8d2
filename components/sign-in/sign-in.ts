export type SignInAnswer =
  | { kind: 'in' }
  | { kind: 'wrong'; triesLeft?: number }
  | { kind: 'limited'; waitSeconds: number }
  | { kind: 'failed' }

/** Knocks with email and password; every way it can end is an answer. */
export async function signIn(email: string, password: string): Promise<SignInAnswer> {
  const answer = await fetch('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch(() => undefined)

  if (answer?.ok) return { kind: 'in' }
  if (answer?.status === 401) return { kind: 'wrong', ...numberOf('triesLeft', answer.headers.get('x-tries-left')) }
  if (answer?.status === 429) return { kind: 'limited', waitSeconds: Number(answer.headers.get('retry-after')) || 60 }
  return { kind: 'failed' }
}

function numberOf(name: 'triesLeft', header: string | null): { triesLeft?: number } {
  return header !== null && /^\d+$/.test(header) ? { [name]: Number(header) } : {}
}
