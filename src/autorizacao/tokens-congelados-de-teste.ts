/**
 * Tokens in the form of Keycloak 26 (and, `acessoAntigo`, of Keycloak 11), frozen: made once by a key that is gone, for
 * 1 March 2026, 12:00 UTC. What reads them today must read them tomorrow.
 */
export const EMISSOR_CONGELADO = 'https://sso.exemplo.com.br/realms/escritorio';

export const JWKS_CONGELADO = {
  keys: [
    {
      kid: 'q7tXkq0cOeS0r4c2pQJ8m2mC1b6m1kGv9x2yWm0dF5A',
      kty: 'RSA',
      alg: 'RS256',
      use: 'sig',
      n:
        'q3y3xH3WUF1eT_5hOvJoOPbEG8bus9PCJusxyLkz8YRHsJFWqROzqjXrZIxoXEAvQnYgH7uP0hZri49TgKlD_FFTqcd5t5zD' +
        '7lM0KAkd2EAZ401PKaM6u0XTib7BvKnY72t-pu-FWpUEA9-RtROf-uX9Nrtk4QIIc0lQ5UvgpAArudWzQ7yGzKMJB_msy4c4' +
        'ov4OcJZ8_C286tBuqq6GLDb67dZDUV2GcmdL5wLEB-1PiFoqZ8IE7U-roRJLSwfso4osX6Zp-Ry9ycR1tpRKVDpKfE1F25ci' +
        'HnQkj6OiB3BQJmlH71Pi8c8SLOfGBx6wpFS0H2Lk8fS5_0q6pSeJnQ',
      e: 'AQAB',
    },
  ],
};

export const CONGELADOS = {
  acesso:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjY2OTAsImlhdCI6MTc3MjM2NjM5MCwianRpIjoidHJydGNjOjRjOGYwZDBlLTZjNTctN' +
    'GIwZS05YTdiLTJmNmQ1ZjFmN2ExMCIsImlzcyI6Imh0dHBzOi8vc3NvLmV4ZW1wbG8uY29tLmJyL3JlYWxtcy9lc2NyaXRvc' +
    'mlvIiwiYXVkIjpbIm1hbG90ZSIsImFjY291bnQiXSwic3ViIjoiMGMyZjdmNDQtNWIwZS00ZDU5LThmM2MtNmQyYzFhOWI3Z' +
    'TU1IiwidHlwIjoiQmVhcmVyIiwiYXpwIjoiZXJwLWV4ZW1wbG8iLCJzaWQiOiI5YjFmNGY2ZS0yZDQzLTRjN2UtOGExMC03Z' +
    'jBmNmMyZDllMzEiLCJhY3IiOiIxIiwiYWxsb3dlZC1vcmlnaW5zIjpbIi8qIl0sInJlYWxtX2FjY2VzcyI6eyJyb2xlcyI6W' +
    'yJkZWZhdWx0LXJvbGVzLWVzY3JpdG9yaW8iLCJvZmZsaW5lX2FjY2VzcyIsInVtYV9hdXRob3JpemF0aW9uIiwiaW50ZWdyY' +
    'WRvciJdfSwicmVzb3VyY2VfYWNjZXNzIjp7ImFjY291bnQiOnsicm9sZXMiOlsibWFuYWdlLWFjY291bnQiLCJtYW5hZ2UtY' +
    'WNjb3VudC1saW5rcyIsInZpZXctcHJvZmlsZSJdfX0sInNjb3BlIjoiZW1haWwgcHJvZmlsZSIsImNsaWVudEhvc3QiOiIxO' +
    'TIuMC4yLjEwIiwiZW1haWxfdmVyaWZpZWQiOmZhbHNlLCJwcmVmZXJyZWRfdXNlcm5hbWUiOiJzZXJ2aWNlLWFjY291bnQtZ' +
    'XJwLWV4ZW1wbG8iLCJjbGllbnRBZGRyZXNzIjoiMTkyLjAuMi4xMCIsImNsaWVudF9pZCI6ImVycC1leGVtcGxvIiwiY29ka' +
    'WdvQ3JtIjoiMTIzIn0.eyY3bfnzk9d2kw0kCvjSemfwAdACG5Ya1EcDpp3JLk9W1ilmJym3xpbKG39uI-AIp-OfmZ-AeA1OO' +
    'Q9LGdDrI2IOvBzVsv4KYB9ptPsHBaH7oI6maBDbeEh3lAU97954i7mhlxhENycHQc7UWqYq086F289hpPceuHlVJdAFLop3k' +
    'ElUGNkCUYPy0V9DH9ez-9LY76jFfI5nbSk4s_h1R31rK77MibE7cLBg_ilOlWcL4TZV_pd2TNg5zK37tsfFEwZa3gJw9JOMF' +
    'U4yJpR4_RHpTQVUg6MoM055dqUYzTNmns-kSEesraXrpJamjqx5KwO5yfCu-J4nGSZk-zPmtw',
  acessoAntigo:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjY2OTAsImlhdCI6MTc3MjM2NjM5MCwianRpIjoiMWI3Y2IwYzUtN2EyZS00ZjY3LTlmM' +
    'mQtNWFkMWIwYzNlNDIxIiwiaXNzIjoiaHR0cHM6Ly9zc28uZXhlbXBsby5jb20uYnIvcmVhbG1zL2VzY3JpdG9yaW8iLCJhd' +
    'WQiOlsibWFsb3RlIiwiYWNjb3VudCJdLCJzdWIiOiIwYzJmN2Y0NC01YjBlLTRkNTktOGYzYy02ZDJjMWE5YjdlNTUiLCJ0e' +
    'XAiOiJCZWFyZXIiLCJhenAiOiJlcnAtZXhlbXBsbyIsInNpZCI6IjliMWY0ZjZlLTJkNDMtNGM3ZS04YTEwLTdmMGY2YzJkO' +
    'WUzMSIsImFjciI6IjEiLCJhbGxvd2VkLW9yaWdpbnMiOlsiLyoiXSwicmVhbG1fYWNjZXNzIjp7InJvbGVzIjpbImRlZmF1b' +
    'HQtcm9sZXMtZXNjcml0b3JpbyIsIm9mZmxpbmVfYWNjZXNzIiwidW1hX2F1dGhvcml6YXRpb24iLCJpbnRlZ3JhZG9yIl19L' +
    'CJyZXNvdXJjZV9hY2Nlc3MiOnsiYWNjb3VudCI6eyJyb2xlcyI6WyJtYW5hZ2UtYWNjb3VudCIsIm1hbmFnZS1hY2NvdW50L' +
    'WxpbmtzIiwidmlldy1wcm9maWxlIl19fSwic2NvcGUiOiJlbWFpbCBwcm9maWxlIiwiY2xpZW50SG9zdCI6IjE5Mi4wLjIuM' +
    'TAiLCJlbWFpbF92ZXJpZmllZCI6ZmFsc2UsInByZWZlcnJlZF91c2VybmFtZSI6InNlcnZpY2UtYWNjb3VudC1lcnAtZXhlb' +
    'XBsbyIsImNsaWVudEFkZHJlc3MiOiIxOTIuMC4yLjEwIiwiY29kaWdvQ3JtIjoiMTIzIiwic2Vzc2lvbl9zdGF0ZSI6IjliM' +
    'WY0ZjZlLTJkNDMtNGM3ZS04YTEwLTdmMGY2YzJkOWUzMSIsImNsaWVudElkIjoiZXJwLWV4ZW1wbG8ifQ.YM9t6HtTy-ACRd' +
    'hXlciFA7Kc24w-NMlnDbLwFsYnuxY-JEb0XpuAtWlBd-B7eseZSiq55GigeDe0qOM8LjmBhNKE10761OEb_JffFntAt62MnA' +
    '7alZ6ALe48_HGNy0tUTf7zrzAwnYSSxNel6fpGAjq2QcUCssPfGbfUEIBy7AAwOHRHG0aUv5peXv-xlXQAuHi5ixiir74uUx' +
    'XYeTWun3SBICsvkZ1S6XW-plm2F2gIqWMgQxVebE7eIiOPF2q1U_SUu7sY4clnTm-oWZ8Z2hCyTzOrhB4wbOZPXDf5hQdmFZ' +
    'BQewWU1pxpeCtvroa1h2eCFjCsHfTZfgMCLtL_eA',
  semPapel:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjY2OTAsImlhdCI6MTc3MjM2NjM5MCwianRpIjoidHJydGNjOjRjOGYwZDBlLTZjNTctN' +
    'GIwZS05YTdiLTJmNmQ1ZjFmN2ExMCIsImlzcyI6Imh0dHBzOi8vc3NvLmV4ZW1wbG8uY29tLmJyL3JlYWxtcy9lc2NyaXRvc' +
    'mlvIiwiYXVkIjpbIm1hbG90ZSIsImFjY291bnQiXSwic3ViIjoiMGMyZjdmNDQtNWIwZS00ZDU5LThmM2MtNmQyYzFhOWI3Z' +
    'TU1IiwidHlwIjoiQmVhcmVyIiwiYXpwIjoiZXJwLWV4ZW1wbG8iLCJzaWQiOiI5YjFmNGY2ZS0yZDQzLTRjN2UtOGExMC03Z' +
    'jBmNmMyZDllMzEiLCJhY3IiOiIxIiwiYWxsb3dlZC1vcmlnaW5zIjpbIi8qIl0sInJlYWxtX2FjY2VzcyI6eyJyb2xlcyI6W' +
    'yJvZmZsaW5lX2FjY2VzcyJdfSwicmVzb3VyY2VfYWNjZXNzIjp7ImFjY291bnQiOnsicm9sZXMiOlsibWFuYWdlLWFjY291b' +
    'nQiLCJtYW5hZ2UtYWNjb3VudC1saW5rcyIsInZpZXctcHJvZmlsZSJdfX0sInNjb3BlIjoiZW1haWwgcHJvZmlsZSIsImNsa' +
    'WVudEhvc3QiOiIxOTIuMC4yLjEwIiwiZW1haWxfdmVyaWZpZWQiOmZhbHNlLCJwcmVmZXJyZWRfdXNlcm5hbWUiOiJzZXJ2a' +
    'WNlLWFjY291bnQtZXJwLWV4ZW1wbG8iLCJjbGllbnRBZGRyZXNzIjoiMTkyLjAuMi4xMCIsImNsaWVudF9pZCI6ImVycC1le' +
    'GVtcGxvIiwiY29kaWdvQ3JtIjoiMTIzIn0.WE8rrc4rhtqL2opA675sZdu48dyyb2BWrJjo4UkspqxvEWIrscHawKY1Q2ngc' +
    'B0RT0WEaPkTPyuFtrRgdXt_hMr9UMh0fUl88ifWpKro1ruXVpTlSFniiHZGlcqAmU21o3oS15sSy4wpMTIH4w4rVfaHfgwga' +
    '7OnxIDvQWm6UW9_Jn9JKeqQYIfCpz5BR_7zLX3qvSJSEynv3syuiulnz2FQ3Ub6Ro-HgG9q6zCAerAMCb3nZsUAEYJPqSqyy' +
    'WyloxDqnoaP2_Isd21tEtDW7FXeOp_S0ofV6lL2pLLao_PJOkcKA0x_jgquS-8yw1_h6OpGXgBjPqpX_2oE_xG8cw',
  outraAudiencia:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjY2OTAsImlhdCI6MTc3MjM2NjM5MCwianRpIjoidHJydGNjOjRjOGYwZDBlLTZjNTctN' +
    'GIwZS05YTdiLTJmNmQ1ZjFmN2ExMCIsImlzcyI6Imh0dHBzOi8vc3NvLmV4ZW1wbG8uY29tLmJyL3JlYWxtcy9lc2NyaXRvc' +
    'mlvIiwiYXVkIjoiYWNjb3VudCIsInN1YiI6IjBjMmY3ZjQ0LTViMGUtNGQ1OS04ZjNjLTZkMmMxYTliN2U1NSIsInR5cCI6I' +
    'kJlYXJlciIsImF6cCI6ImVycC1leGVtcGxvIiwic2lkIjoiOWIxZjRmNmUtMmQ0My00YzdlLThhMTAtN2YwZjZjMmQ5ZTMxI' +
    'iwiYWNyIjoiMSIsImFsbG93ZWQtb3JpZ2lucyI6WyIvKiJdLCJyZWFsbV9hY2Nlc3MiOnsicm9sZXMiOlsiZGVmYXVsdC1yb' +
    '2xlcy1lc2NyaXRvcmlvIiwib2ZmbGluZV9hY2Nlc3MiLCJ1bWFfYXV0aG9yaXphdGlvbiIsImludGVncmFkb3IiXX0sInJlc' +
    '291cmNlX2FjY2VzcyI6eyJhY2NvdW50Ijp7InJvbGVzIjpbIm1hbmFnZS1hY2NvdW50IiwibWFuYWdlLWFjY291bnQtbGlua' +
    '3MiLCJ2aWV3LXByb2ZpbGUiXX19LCJzY29wZSI6ImVtYWlsIHByb2ZpbGUiLCJjbGllbnRIb3N0IjoiMTkyLjAuMi4xMCIsI' +
    'mVtYWlsX3ZlcmlmaWVkIjpmYWxzZSwicHJlZmVycmVkX3VzZXJuYW1lIjoic2VydmljZS1hY2NvdW50LWVycC1leGVtcGxvI' +
    'iwiY2xpZW50QWRkcmVzcyI6IjE5Mi4wLjIuMTAiLCJjbGllbnRfaWQiOiJlcnAtZXhlbXBsbyIsImNvZGlnb0NybSI6IjEyM' +
    'yJ9.Pa7CjE8r1crwmxLrtxR9uCvmzlH4MCkzeWVVvNzUmKDlpQUlq6f2oyOX-HZvnhnreGYAik7__bQPsDHZYSckdbnew7hf' +
    'i-R6BOXphCMCI6qlpzuskx_xbQ5fOGWU-j6cvbgqZb_u_jPraAYdAyAJigiF4SY_qsdt1wKTR5VevobMZubet92FYmbfhupq' +
    'MWBxAg4_PmJ4FjzR76jxdTgrzwiorFAD94jF0UB-G0kTkHYalvW1yGDeHIWfn4WsDzg3VPTjPpXgfNgFpdpi37HB2KbXx_lD' +
    'l8p15N_f9ZZ0F5koAs5A4qrArA8JFNlu-8Keg_eDziVjtTFTTTRk_MuAIw',
  id:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjY2OTAsImlhdCI6MTc3MjM2NjM5MCwianRpIjoidHJydGNjOjRjOGYwZDBlLTZjNTctN' +
    'GIwZS05YTdiLTJmNmQ1ZjFmN2ExMCIsImlzcyI6Imh0dHBzOi8vc3NvLmV4ZW1wbG8uY29tLmJyL3JlYWxtcy9lc2NyaXRvc' +
    'mlvIiwiYXVkIjoibWFsb3RlIiwic3ViIjoiMGMyZjdmNDQtNWIwZS00ZDU5LThmM2MtNmQyYzFhOWI3ZTU1IiwidHlwIjoiS' +
    'UQiLCJhenAiOiJlcnAtZXhlbXBsbyIsInNpZCI6IjliMWY0ZjZlLTJkNDMtNGM3ZS04YTEwLTdmMGY2YzJkOWUzMSIsImFjc' +
    'iI6IjEiLCJhbGxvd2VkLW9yaWdpbnMiOlsiLyoiXSwicmVhbG1fYWNjZXNzIjp7InJvbGVzIjpbImRlZmF1bHQtcm9sZXMtZ' +
    'XNjcml0b3JpbyIsIm9mZmxpbmVfYWNjZXNzIiwidW1hX2F1dGhvcml6YXRpb24iLCJpbnRlZ3JhZG9yIl19LCJyZXNvdXJjZ' +
    'V9hY2Nlc3MiOnsiYWNjb3VudCI6eyJyb2xlcyI6WyJtYW5hZ2UtYWNjb3VudCIsIm1hbmFnZS1hY2NvdW50LWxpbmtzIiwid' +
    'mlldy1wcm9maWxlIl19fSwic2NvcGUiOiJlbWFpbCBwcm9maWxlIiwiY2xpZW50SG9zdCI6IjE5Mi4wLjIuMTAiLCJlbWFpb' +
    'F92ZXJpZmllZCI6ZmFsc2UsInByZWZlcnJlZF91c2VybmFtZSI6InNlcnZpY2UtYWNjb3VudC1lcnAtZXhlbXBsbyIsImNsa' +
    'WVudEFkZHJlc3MiOiIxOTIuMC4yLjEwIiwiY2xpZW50X2lkIjoiZXJwLWV4ZW1wbG8iLCJjb2RpZ29Dcm0iOiIxMjMifQ.FQ' +
    'ncBUIaUPeqRbHWHyhhrIguFcyVqMqPN3FqHAzaHsFpYLXpuHrNzgujtZQk64X5tqSKk1pZKCQiHFA-dY0vUY7HRUqG4Qnq7F' +
    'KV4L1ek7uQdZnQA92kVtP02OS94G1ZLv00X9uYWbWqATAPpLexxI5FLI2XCj1uk3GhK_0R_cGe1dB-3J8X-FoD5s2S1ZGXUb' +
    'Oe9LyZoAyHAOUaxSXbrMiPOh5mKgtkhhmgizD39FhJPLktr1jo-16cOjpgnlCyrkrYG3We3Sd201iP2q4ysnBSrzDbSCTMnY' +
    'mXQF79unwx3fb6iRIjrAupNFN_vGgf7FH43ZOp9jrg95OCcEENfw',
  offline:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJpYXQiOjE3NzIzNjYzOTAsImp0aSI6InRycnRjYzo0YzhmMGQwZS02YzU3LTRiMGUtOWE3Yi0yZjZkNWYxZ' +
    'jdhMTAiLCJpc3MiOiJodHRwczovL3Nzby5leGVtcGxvLmNvbS5ici9yZWFsbXMvZXNjcml0b3JpbyIsImF1ZCI6WyJtYWxvd' +
    'GUiLCJhY2NvdW50Il0sInN1YiI6IjBjMmY3ZjQ0LTViMGUtNGQ1OS04ZjNjLTZkMmMxYTliN2U1NSIsInR5cCI6Ik9mZmxpb' +
    'mUiLCJhenAiOiJlcnAtZXhlbXBsbyIsInNpZCI6IjliMWY0ZjZlLTJkNDMtNGM3ZS04YTEwLTdmMGY2YzJkOWUzMSIsImFjc' +
    'iI6IjEiLCJhbGxvd2VkLW9yaWdpbnMiOlsiLyoiXSwicmVhbG1fYWNjZXNzIjp7InJvbGVzIjpbImRlZmF1bHQtcm9sZXMtZ' +
    'XNjcml0b3JpbyIsIm9mZmxpbmVfYWNjZXNzIiwidW1hX2F1dGhvcml6YXRpb24iLCJpbnRlZ3JhZG9yIl19LCJyZXNvdXJjZ' +
    'V9hY2Nlc3MiOnsiYWNjb3VudCI6eyJyb2xlcyI6WyJtYW5hZ2UtYWNjb3VudCIsIm1hbmFnZS1hY2NvdW50LWxpbmtzIiwid' +
    'mlldy1wcm9maWxlIl19fSwic2NvcGUiOiJlbWFpbCBwcm9maWxlIiwiY2xpZW50SG9zdCI6IjE5Mi4wLjIuMTAiLCJlbWFpb' +
    'F92ZXJpZmllZCI6ZmFsc2UsInByZWZlcnJlZF91c2VybmFtZSI6InNlcnZpY2UtYWNjb3VudC1lcnAtZXhlbXBsbyIsImNsa' +
    'WVudEFkZHJlc3MiOiIxOTIuMC4yLjEwIiwiY2xpZW50X2lkIjoiZXJwLWV4ZW1wbG8iLCJjb2RpZ29Dcm0iOiIxMjMifQ.Tv' +
    'U1721GyOZol2AhRp2Rl40kt6TfSQecPMhKqSXZxDxmSUP1pihQZkLEdWJPR5oWUxy0d1vSEH5_vyjO-t3lA4z8lhd8azOH3M' +
    'o9YD6RNIh0GD0gtpfEBDBgKHThBZTmZm8D_ZlbqphezFSb1V3z-DYtj0lYsajW_vDEl874Y03MmBr6GoQOVCx9nJSLO-nNOt' +
    'n6J7TI3qU_62vq2LVU2inQE4yi7jZAk4MKnwYf72Jzgs1QraRwDfMBOJkVmWuSuo2DEviEL6t6gP8QUhAFjUhIqm21QNJ91q' +
    'uBKSBDKFExWsaeDYx4lGboPbrXM6bkZVlpYL-wPCeioNudkPYbFA',
  vencido:
    'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6InE3dFhrcTBjT2VTMHI0YzJwUUo4bTJtQzFiNm0xa0d2OXgyeVdt' +
    'MGRGNUEifQ.eyJleHAiOjE3NzIzNjYzMzAsImlhdCI6MTc3MjM2NjAzMCwianRpIjoidHJydGNjOjRjOGYwZDBlLTZjNTctN' +
    'GIwZS05YTdiLTJmNmQ1ZjFmN2ExMCIsImlzcyI6Imh0dHBzOi8vc3NvLmV4ZW1wbG8uY29tLmJyL3JlYWxtcy9lc2NyaXRvc' +
    'mlvIiwiYXVkIjpbIm1hbG90ZSIsImFjY291bnQiXSwic3ViIjoiMGMyZjdmNDQtNWIwZS00ZDU5LThmM2MtNmQyYzFhOWI3Z' +
    'TU1IiwidHlwIjoiQmVhcmVyIiwiYXpwIjoiZXJwLWV4ZW1wbG8iLCJzaWQiOiI5YjFmNGY2ZS0yZDQzLTRjN2UtOGExMC03Z' +
    'jBmNmMyZDllMzEiLCJhY3IiOiIxIiwiYWxsb3dlZC1vcmlnaW5zIjpbIi8qIl0sInJlYWxtX2FjY2VzcyI6eyJyb2xlcyI6W' +
    'yJkZWZhdWx0LXJvbGVzLWVzY3JpdG9yaW8iLCJvZmZsaW5lX2FjY2VzcyIsInVtYV9hdXRob3JpemF0aW9uIiwiaW50ZWdyY' +
    'WRvciJdfSwicmVzb3VyY2VfYWNjZXNzIjp7ImFjY291bnQiOnsicm9sZXMiOlsibWFuYWdlLWFjY291bnQiLCJtYW5hZ2UtY' +
    'WNjb3VudC1saW5rcyIsInZpZXctcHJvZmlsZSJdfX0sInNjb3BlIjoiZW1haWwgcHJvZmlsZSIsImNsaWVudEhvc3QiOiIxO' +
    'TIuMC4yLjEwIiwiZW1haWxfdmVyaWZpZWQiOmZhbHNlLCJwcmVmZXJyZWRfdXNlcm5hbWUiOiJzZXJ2aWNlLWFjY291bnQtZ' +
    'XJwLWV4ZW1wbG8iLCJjbGllbnRBZGRyZXNzIjoiMTkyLjAuMi4xMCIsImNsaWVudF9pZCI6ImVycC1leGVtcGxvIiwiY29ka' +
    'WdvQ3JtIjoiMTIzIn0.fOPGetRfEPsHiVGhMn3Bm9bKver9_N3pr7E34zJbt_gDwROuEEp-s7l7eN0u__9WQY5nh7zr1VlWt' +
    'xZyLX8XcNn3aQZP5HFcX4GIKq4sWECn9nRJpDpjyW0J7ESs6GyDB9oJRj1CZ-zrD3SmifipGiJp0oejSCeYj6ARsRRLXBPHq' +
    'C8M6xBkoepUXASLmecpc3Vy6uM5NiLGP8np5dsQQoc8ZK67Zn1meUYopb8tFTaHCVY6fpzTNOrIWOEwi9yR_wQGy7HDmLUUT' +
    '4ZTWghBQriG6LCLWu8RZDQwOSoRJ5l-Xdi-Y9rMqD4QsVb6Kjr-m-xbh8soYgJtXVjtIxbXFg',
};
