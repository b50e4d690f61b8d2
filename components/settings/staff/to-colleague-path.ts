export const toColleaguePath = (staffId: string) => `/settings/staff/${encodeURIComponent(staffId)}`
