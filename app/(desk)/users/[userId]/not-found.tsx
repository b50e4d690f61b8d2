import { PersonNotFound } from '#components/users/person-not-found.tsx'

export default PersonNotFound
