import { toRequestError } from '#components/trpc/request-error.ts'

/** Whether a service was rejected for its address: the dialog says so at that field. */
export const isAboutAddress = (error: unknown): boolean => toRequestError(error).code === 'UNPROCESSABLE_CONTENT'
