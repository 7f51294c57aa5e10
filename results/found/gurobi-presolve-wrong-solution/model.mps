NAME 
ROWS
 N  OBJ
 G  R0      
 G  R1      
 E  R2      
 G  R3      
 E  R4      
 E  R5      
 E  R6      
 G  R7      
 E  R8      
 E  R9      
 G  R10     
 G  R11     
 G  R12     
 G  R13     
 E  R14     
 E  R15     
 G  R16     
 E  R17     
 E  R18     
 G  R19     
 G  R20     
 E  R21     
 E  R22     
 G  R23     
 L  R24     
 L  R25     
 L  R26     
 L  R27     
 L  R28     
 L  R29     
 L  R30     
 L  R31     
 G  GC0     
 G  GC1     
 G  GC2     
 G  GC3     
 G  GC4     
 G  GC5     
 G  GC6     
 G  GC7     
 G  GC8     
 G  GC9     
 G  GC10    
 G  GC11    
 G  GC12    
 G  GC13    
 G  GC14    
 G  GC15    
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    BV0       R0        1
    BV0       R12       1
    BV0       GC1       1
    BV0       GC6       1
    BV1       R1        1
    BV1       R13       1
    BV1       GC0       1
    BV1       GC2       1
    BV1       GC8       1
    BV2       R2        1
    BV2       R14       1
    BV2       GC1       1
    BV2       GC3       1
    BV2       GC5       1
    BV3       R2        1
    BV3       R15       1
    BV3       R24       1
    BV3       R28       1
    BV3       GC9       1
    BV4       R3        1
    BV4       R16       1
    BV4       GC2       1
    BV4       GC10      1
    BV5       R4        1
    BV5       R17       1
    BV5       GC0       1
    BV5       GC8       1
    BV5       GC12      1
    BV6       R4        1
    BV6       R18       1
    BV6       R26       1
    BV6       R27       1
    BV6       GC4       1
    BV6       GC14      1
    BV7       R5        1
    BV7       R17       1
    BV7       GC1       1
    BV7       GC3       1
    BV7       GC6       1
    BV7       GC13      1
    BV8       R5        1
    BV8       R18       1
    BV8       R24       -1
    BV8       R25       -1
    BV8       R26       1
    BV8       R29       1
    BV8       R30       1
    BV9       R6        1
    BV9       R14       1
    BV9       GC2       1
    BV9       GC8       1
    BV9       GC10      1
    BV9       GC15      1
    BV10      R6        1
    BV10      R15       1
    BV10      R28       1
    BV10      R29       1
    BV10      GC7       1
    BV10      GC11      1
    BV10      GC14      1
    BV11      R7        1
    BV11      R19       1
    BV11      GC3       1
    BV11      GC5       1
    BV12      R8        1
    BV12      R21       1
    BV12      GC6       1
    BV12      GC13      1
    BV13      R8        1
    BV13      R22       1
    BV13      R25       1
    BV13      R27       1
    BV13      R31       1
    BV13      GC9       1
    BV14      R9        1
    BV14      R21       1
    BV14      GC8       1
    BV14      GC12      1
    BV14      GC15      1
    BV15      R9        1
    BV15      R22       1
    BV15      R30       1
    BV15      R31       1
    BV15      GC4       1
    BV15      GC7       1
    BV15      GC11      1
    BV16      R10       1
    BV16      R23       1
    BV16      GC3       1
    BV16      GC13      1
    BV17      R11       1
    BV17      R20       1
    BV17      GC4       1
    BV17      GC14      1
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS1      R0        1
    RHS1      R1        1
    RHS1      R2        1
    RHS1      R3        1
    RHS1      R4        1
    RHS1      R5        1
    RHS1      R6        1
    RHS1      R7        1
    RHS1      R8        1
    RHS1      R9        1
    RHS1      R10       1
    RHS1      R11       1
    RHS1      R12       1
    RHS1      R13       1
    RHS1      R14       1
    RHS1      R15       1
    RHS1      R16       1
    RHS1      R17       1
    RHS1      R18       1
    RHS1      R19       1
    RHS1      R20       1
    RHS1      R21       1
    RHS1      R22       1
    RHS1      R23       1
    RHS1      R26       1
    RHS1      R27       1
    RHS1      R28       1
    RHS1      R29       1
    RHS1      R30       1
    RHS1      R31       1
    RHS1      GC0       1
    RHS1      GC1       1
    RHS1      GC2       1
    RHS1      GC3       1
    RHS1      GC4       1
    RHS1      GC5       1
    RHS1      GC6       1
    RHS1      GC7       1
    RHS1      GC8       1
    RHS1      GC9       1
    RHS1      GC10      1
    RHS1      GC11      1
    RHS1      GC12      1
    RHS1      GC13      1
    RHS1      GC14      1
    RHS1      GC15      1
BOUNDS
 BV BND1      BV0     
 BV BND1      BV1     
 BV BND1      BV2     
 BV BND1      BV3     
 BV BND1      BV4     
 BV BND1      BV5     
 BV BND1      BV6     
 BV BND1      BV7     
 BV BND1      BV8     
 BV BND1      BV9     
 BV BND1      BV10    
 BV BND1      BV11    
 BV BND1      BV12    
 BV BND1      BV13    
 BV BND1      BV14    
 BV BND1      BV15    
 BV BND1      BV16    
 BV BND1      BV17    
INDICATORS
 IF GC0       BV0       1
 IF GC1       BV1       1
 IF GC2       BV2       1
 IF GC3       BV9       1
 IF GC4       BV10      1
 IF GC5       BV4       1
 IF GC6       BV5       1
 IF GC7       BV6       1
 IF GC8       BV7       1
 IF GC9       BV8       1
 IF GC10      BV11      1
 IF GC11      BV17      1
 IF GC12      BV12      1
 IF GC13      BV14      1
 IF GC14      BV15      1
 IF GC15      BV16      1
ENDATA
