/** 400 px on phones, less while an order is open or just settled. On larger screens it fills the rest of the pane. */
export function chartHeight(isFree: boolean, step: string): string {
  if (isFree) return 'min-h-0 flex-1'
  if (step === 'completed') return 'h-[196px] border-t border-line'
  return step === 'running' || step === 'completing' ? 'h-[288px] short:h-[208px]' : 'h-[400px] short:h-[208px]'
}
