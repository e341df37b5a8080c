# Reads all events of a club, page by page, in Windows PowerShell 5.1 or PowerShell 7:
#   .\events.ps1 -Key KEY | Export-Csv events.csv -Encoding utf8
param(
    [Parameter(Mandatory)] [string] $Key,
    [string] $Base = (club-events url)
)
$ErrorActionPreference = 'Stop'
$request = @{ Headers = @{ Authorization = "Bearer $Key" }; UseBasicParsing = $true }
# A proxy would get the key. Windows PowerShell uses none for this computer.
if ($PSVersionTable.PSVersion.Major -ge 6) { $request.NoProxy = $true }
$uri = "$Base/v1/events?sort=date&order=asc"
while ($uri) {
    try { $answer = Invoke-WebRequest @request -Uri $uri }
    catch {
        if (-not $_.ErrorDetails) { throw }
        throw ($_.ErrorDetails.Message | ConvertFrom-Json).detail
    }
    $page = ($answer.Content | ConvertFrom-Json).events
    # PowerShell 7 makes dates of them, which Export-Csv would write in the form of the country.
    foreach ($one in $page) {
        foreach ($name in 'date', 'createdAt') {
            if ($one.$name -isnot [datetime]) { continue }
            $utc = $one.$name.ToUniversalTime()
            $one.$name = $utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", [cultureinfo]::InvariantCulture)
        }
    }
    $page
    $uri = if ("$($answer.Headers.Link)" -match '<([^>]+)>; rel="next"') { $Matches[1] }
}
