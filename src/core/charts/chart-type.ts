export const CHART_TYPES = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin_ashi'] as const
export type ChartType = (typeof CHART_TYPES)[number]
