// Loaded before a server: shifts its clock by CLOCK_SHIFT_MS, forwards or back.
const readTime = Date.now
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
Date.now = () => readTime() + shiftMs
