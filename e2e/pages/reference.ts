/** A displayed reference, `FW-0TXWD-7Q4M2-9A3BK`. */
export const REFERENCE = /FW(?:-[0-9A-Z]{5}){3}/
export const REFERENCE_ALONE = new RegExp(`^${REFERENCE.source}$`)
