/** The parts of a JSON Schema by zod that are used here. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  style?: string
  explode?: boolean
}

export interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[] | undefined
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

/** The parts of an OpenAPI document that this interface has. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

export function operationsOf({ paths }: ApiDocument): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}
